-- Whether the issuer of a refused card would refuse it again, as the acquirer says. Null of what was refused before.
alter table transactions add column refused_hard boolean;

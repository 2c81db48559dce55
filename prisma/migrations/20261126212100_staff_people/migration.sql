-- A person of the staff is invited by a link, with which they choose a password.
alter type "LinkKind" add value 'staff_invite';

-- Who was made at the command line needs no link: whoever made them vouches for the address.
update users set email_confirmed_at = now() where staff_roles <> '{}' and email_confirmed_at is null;

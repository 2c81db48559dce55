-- PostgreSQL printed the comparison of two rows so that what a restored dump executes is nested otherwise, and a start
-- on it found another trigger. This is the form that a restore leaves.
drop trigger terms_stay on "plan_splits";
create trigger terms_stay before update on "plan_splits" for each row
  when (old.id is distinct from new.id or old.account_id is distinct from new.account_id
    or old.plan_id is distinct from new.plan_id or old.mode is distinct from new.mode
    or old.email is distinct from new.email or old.basis_points is distinct from new.basis_points)
  execute function refuse_change();

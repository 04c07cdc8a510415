-- Whether a status that was deleted has boosts, after so many of them were removed. A statement of
-- a volatile function sees those that were committed while the deletion waited for the lock of the
-- status. `removed` is a parameter so that they are counted, and thus removed, before.
create or replace function has_boosts_left(status bigint, removed bigint) returns boolean
language plpgsql as $$
begin
  return exists (select from statuses b where b.reblog_of_id = has_boosts_left.status and b.deleted_at is null);
end
$$;

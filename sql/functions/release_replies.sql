-- Takes the parent from up to 500 replies to a status that is deleted. Returns their ids. A
-- statement of a volatile function sees the replies that were committed while the deletion waited
-- for the lock of the status. `deleted` is a parameter so that all statuses are deleted before: one
-- may be a reply.
create or replace function release_replies(status bigint, deleted bigint) returns setof bigint
language plpgsql as $$
begin
  return query
    update statuses r set in_reply_to_id = null
    where r.id in (select o.id from statuses o where o.in_reply_to_id = release_replies.status order by o.id limit 500)
    returning r.id;
end
$$;

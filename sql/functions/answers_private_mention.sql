-- Whether a direct status of the recipient that mentions the originator stands within 100 statuses
-- up the thread.
create or replace function answers_private_mention(recipient bigint, originator bigint, status bigint) returns boolean
language sql stable as $$
  with recursive thread (id, depth) as (
    select s.in_reply_to_id, 1 from statuses s where s.id = status and s.in_reply_to_id is not null
    union all
    select s.in_reply_to_id, thread.depth + 1
    from thread
    join statuses s on s.id = thread.id
    where s.in_reply_to_id is not null and thread.depth < 100
  )
  select exists (
    select
    from thread
    join statuses s on s.id = thread.id
    join mentions m on m.status_id = s.id and m.account_id = originator
    where s.account_id = recipient and s.visibility = 'direct' and s.deleted_at is null
  )
$$;

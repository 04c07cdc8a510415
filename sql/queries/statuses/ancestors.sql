-- ancestors: the statuses that a status answers, up to the root of the thread. Statuses hidden from
-- the viewer are skipped; they do not end the chain.
-- $1 viewer bigint
-- $2 status bigint
-- $3 limit integer
-- rows: one for each visible status, the root first; bytes: of its text, whose size PostgreSQL
--   knows without reading it
-- plan: no sequential scan
with recursive thread (id, distance) as (
  select s.in_reply_to_id, 1 from statuses s where s.id = $2 and s.in_reply_to_id is not null
  union all
  select s.in_reply_to_id, thread.distance + 1
  from thread
  join statuses s on s.id = thread.id
  where s.in_reply_to_id is not null and thread.distance < $3
)
select s.id, octet_length(s.content) + octet_length(s.spoiler_text) as bytes
from thread
join shown_statuses($1) s on s.id = thread.id
order by thread.distance desc

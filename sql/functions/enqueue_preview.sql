-- Adds the job for the preview of a status's link, and returns its id. The job reads the status
-- when it runs. Pages may be slow: previews wait for each other in two queues, which leaves most of
-- the parallel jobs to other tasks. Statuses of other servers have two queues of their own, so that
-- local ones do not wait behind those that a relay brings, and wait up to a minute: all servers
-- that a post was delivered to would request its page in the same second. A waiting job is
-- replaced, so that an older link does not follow a newer one.
-- link: what its server chose for the preview; null: the first one in its text.
create or replace function enqueue_preview(status bigint, link text default null) returns bigint
language plpgsql as $$
declare
  remote boolean := exists (select from statuses s where s.id = status and not s.local);
begin
  return enqueue(
    'preview_cards.attach', json_strip_nulls(json_build_object('status_id', status::text, 'link', link)), attempts => 3, priority => 10,
    run_at => case when remote then now() + random() * interval '1 minute' end, job_key => 'preview_cards.attach:' || status,
    queue_name => 'preview_cards:' || case when remote then 'remote:' else '' end || (status % 2)
  );
end
$$;

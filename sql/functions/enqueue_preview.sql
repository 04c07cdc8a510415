-- Adds the job for the preview of a status's first link, and returns its id. The job reads the
-- status when it runs. Pages may be slow: previews wait for each other in two queues, which leaves
-- most of the parallel jobs to other tasks.
create or replace function enqueue_preview(status bigint) returns bigint
language plpgsql as $$
begin
  return enqueue(
    'preview_cards.attach', json_build_object('status_id', status::text), attempts => 3, priority => 10,
    queue_name => 'preview_cards:' || (status % 2)
  );
end
$$;

-- Enqueues the preview of a status's first link. The job looks at what the status says when it runs. Pages may be slow: previews wait for
-- each other in two queues, so that most of the jobs that run at once are others. Gives the job's id.
create or replace function enqueue_preview(status bigint) returns bigint
language plpgsql as $$
begin
  return enqueue(
    'preview_cards.attach', json_build_object('status_id', status::text), attempts => 3, priority => 10,
    queue_name => 'preview_cards:' || (status % 2)
  );
end
$$;

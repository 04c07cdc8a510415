-- How a status asks for the preview of its first link.
-- Locks: none.

-- Adds the job, which looks at what the status says when it runs. Pages may be slow: previews wait for each other in two queues, so that
-- most of the jobs that run at once are others. Answers with the job's id.
create function preview_status(status bigint) returns bigint
language plpgsql as $$
begin
  return (
    select job.id
    from graphile_worker.add_job(
      'preview_cards:settle', json_build_object('status_id', status::text), queue_name => 'preview_cards:' || (status % 2),
      max_attempts => 3, priority => 10
    ) job
  );
end
$$;

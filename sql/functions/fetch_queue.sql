-- The queue of a job that fetches this URL from another server. Four queues for all processes, by
-- the server, take at most half of the eight parallel jobs of federation, however many servers
-- answer slowly; and a slow one holds up a quarter of the others.
create or replace function fetch_queue(url text) returns text
language sql immutable as $$
  select 'federation.fetch:' || (hashtext(coalesce(substring(url from '^https?://([^/?#]+)'), '')) & 3)
$$;

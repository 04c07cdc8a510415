-- A trigger of reports: enqueues the Flag of a report that is forwarded to other servers.
create or replace function federate_reports() returns trigger language plpgsql as $$
begin
  perform enqueue('federation.send_flag', json_build_object('report', new.id::text));
  return null;
end
$$;

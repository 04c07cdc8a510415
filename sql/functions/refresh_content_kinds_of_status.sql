-- A trigger of the tables that belong to a status: attachments, polls, quotes, previews.
create or replace function refresh_content_kinds_of_status() returns trigger
language plpgsql as $$
begin
  perform refresh_content_kinds(coalesce(new.status_id, old.status_id));
  return null;
end
$$;

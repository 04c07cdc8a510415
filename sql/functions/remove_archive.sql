-- A trigger of backups: enqueues the removal of the file when an archive is removed, for example
-- with its user.
create or replace function remove_archive() returns trigger language plpgsql as $$
begin
  perform enqueue('media.remove_files', json_build_object('keys', json_build_array(old.file_key)));
  return null;
end
$$;

-- A trigger of backups: whatever removes a user, the files of the user's archives are removed too.
create or replace function remove_archive() returns trigger language plpgsql as $$
begin
  perform enqueue('media.remove_files', json_build_object('keys', json_build_array(old.file_key)));
  return null;
end
$$;

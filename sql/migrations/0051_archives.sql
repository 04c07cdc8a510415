-- Archives that people ask for of their own data. The key is given when an archive is asked for, so that what a run has stored that was
-- cut off is found again; it is ready when `ready_at` says so, and a key that was taken away tells that it has been removed since.
-- Locks: backups gets a trigger, which takes an instant.

-- Whatever removes a user, the archives of that user go too. The number of tries is that of src/media/files.ts.
create function remove_archive() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job(
    'media.remove_files', json_build_object('keys', json_build_array(old.file_key)), max_attempts => 12
  );
  return null;
end
$$;

create trigger backups_removed after delete on backups
for each row when (old.file_key is not null) execute function remove_archive();

-- remove_attachments: deletes the attachments of a deleted status; the caller removes their files.
-- Attachments that are evidence for moderators stay until the status is deleted for good (purge,
-- media/attachments/expire).
-- $1 status bigint
-- rows: one an attachment
-- plan: the attachments of one status by index
delete from media_attachments m using statuses s
where m.status_id = $1 and s.id = m.status_id and s.deleted_at is not null and not is_evidence(s)
returning m.file_key, m.preview_key

-- The preview of a status of another server is that of the link which its server chose. Drops the
-- functions without that parameter: those that follow have it with a default, so that processes of
-- the previous release call them as before. Locks nothing.
drop function if exists enqueue_preview(bigint);
drop function if exists receive_edit(
  bigint, bigint, text, text, boolean, text, timestamptz, bigint[], text[], text[], jsonb, jsonb, text, boolean
);

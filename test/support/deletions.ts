/**
 * A statement that inserts events of deleted public posts which were never sent: $1 the author, $2
 * the id before the first, $3 the number. Small events, each of them a message on the public
 * streams.
 */
export const INSERT_DELETION_EVENTS = `insert into events (kind, actor_id, status_id, data)
  select 'status.deleted', $1::bigint, $2::bigint + n, '{"visibility": "public", "local": true, "domain": null, "silenced": false,
    "language": null, "reblog_of_id": null, "reblog_account_id": null, "in_reply_to_id": null, "in_reply_to_account_id": null,
    "conversation_id": null, "mentions": [], "silent_mentions": [], "tags": [], "has_media": true, "reblog_mentions": []}'
  from generate_series(1, $3::integer) n`

/** The text before the operations, as Markdown. */
export const INTRODUCTION = `The client API of Mastodon, as this server speaks it.

**Parameters** come from the path, the query and the body together; the path takes precedence over
the query, the query over the body. A body is JSON or a form. In forms and queries, lists are
\`name[]\` and members of objects \`name[member]\`; lists of objects are \`name[0][member]\`.
Unknown parameters are ignored. A file is a part of a multipart form or, in JSON, a \`data:\` URI.

**Ids** are decimal strings. **Times** are ISO 8601 in UTC.

**Pages**: lists take \`limit\`, and \`max_id\`, \`since_id\`, \`min_id\` or \`offset\`. A
\`limit\` above the maximum means the maximum. Clients follow the URLs of the \`Link\` header.

**Authorization** is OAuth 2: send \`Authorization: Bearer TOKEN\`. One of an operation's scopes
is enough. An application registers itself with \`POST /api/v1/apps\`.

**Errors** are JSON with the text in \`error\`. The server responds 500 only when it fails.

**Limits**: each response reports the tightest limit in \`X-RateLimit-Limit\`, \`-Remaining\` and
\`-Reset\`; the extension \`x-rate-limits\` lists the limits of an operation.

**Streams**: see the group \`streaming\`.`

/** What OpenAPI cannot express about streams. */
export const STREAMING = `Events as they happen, as a WebSocket with any number of streams or as server-sent events with one
stream. The host is \`configuration.urls.streaming\` of \`GET /api/v2/instance\`.

A WebSocket subscribes by sending JSON: \`{"type":"subscribe","stream":"hashtag","tag":"tea"}\`;
\`list\` names a list in the same way, and \`"type":"unsubscribe"\` ends it. Messages of the
server are \`StreamingMessage\`: \`payload\` is a string, and holds JSON where it is an object.
Errors are messages \`{"error":"…","status":401}\`. The token is in the header, in
\`access_token\`, or the WebSocket’s subprotocol.

Server-sent events have the lines \`event:\` and \`data:\`; data is the payload. The comment
\`:thump\` comes every 15 seconds.

| event | payload |
| --- | --- |
| \`update\` | Status, new in the stream |
| \`status.update\` | Status, edited |
| \`delete\` | id of a status |
| \`notification\` | Notification |
| \`notifications_merged\` | nothing of meaning |
| \`conversation\` | Conversation |
| \`filters_changed\` | none |
| \`announcement\` | Announcement |
| \`announcement.reaction\` | name, count and announcement_id |
| \`announcement.delete\` | id of an announcement |

Streams can be resumed: an event’s id, sent as \`Last-Event-ID\` or \`last_event_id\`, brings the
events after it first.`

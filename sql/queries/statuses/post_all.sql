-- post_all: as statuses/post, several at once. In the order of their authors, so that two processes that do this at the same time wait for
-- each other's counters in the same order and not in a circle.
-- $1 posts jsonb
-- rows: one for each that was stored, with its place among those given (from 1)
-- plan: that of a function; each of its steps goes by an index
with given as (
  select *
  from
    rows from (
      jsonb_to_recordset($1) as (
        author bigint, text text, content text, spoiler_text text, visibility visibility, sensitive boolean, language text,
        in_reply_to bigint, in_reply_to_account bigint, conversation bigint, application bigint, quote_policy text,
        mentioned bigint[], tags bigint[], tag_names text[], media bigint[], idempotency_key text, scheduled bigint,
        has_link boolean, collections bigint[]
      )
    ) with ordinality as g (
      author, text, content, spoiler_text, visibility, sensitive, language,
      in_reply_to, in_reply_to_account, conversation, application, quote_policy,
      mentioned, tags, tag_names, media, idempotency_key, scheduled,
      has_link, collections, place
    )
  order by g.author, g.place
)
select g.place::integer as place, p.id, p.queued, p.events
from given g
cross join lateral post_status(
  g.author, g.text, g.content, g.spoiler_text, g.visibility, g.sensitive, g.language,
  g.in_reply_to, g.in_reply_to_account, g.conversation, g.application, g.quote_policy,
  g.mentioned, g.tags, g.tag_names, g.media, g.idempotency_key, g.scheduled, g.has_link, g.collections
) p

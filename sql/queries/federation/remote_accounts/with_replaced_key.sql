-- with_replaced_key: the stored account of an actor if a document of it lists a key that an Update
-- has replaced within a day, so that the document is older than the Update.
-- $1 uri text
-- $2 public_keys text[]
-- $3 updated timestamptz
-- rows: none or one
-- plan: no sequential scan
select a.id from accounts a
where a.uri = $1 and a.uri <> '' and a.domain is not null
  and exists (
    select from replaced_keys r
    where r.owner = $1 and r.public_key = any ((select $2::text[])::text[]) and r.replaced_at > now() - interval '1 day'
      and not coalesce($3::timestamptz > r.updated, false)
  )

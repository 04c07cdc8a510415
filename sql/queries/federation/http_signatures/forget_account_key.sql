-- forget_account_key: an account of another server has no key any more that a document of it does
-- not list, until the account itself is fetched. A document that lists a key which an Update has
-- replaced is older than the Update, and changes nothing.
-- $1 uri text
-- $2 key_ids text[]
-- $3 public_keys text[]
-- $4 updated timestamptz
-- rows: none
-- plan: no sequential scan
update accounts a set key_id = ''
where a.uri = $1 and a.uri <> '' and a.domain is not null and a.key_id <> ''
  and not exists (
    select from unnest((select $2::text[]), (select $3::text[])) l (key_id, public_key)
    where l.key_id = a.key_id and l.public_key = a.public_key
  )
  and not exists (
    select from replaced_keys r
    where r.owner = $1 and r.public_key = any ((select $3::text[])::text[]) and r.replaced_at > now() - interval '1 day'
      and not coalesce($4::timestamptz > r.updated, false)
  )

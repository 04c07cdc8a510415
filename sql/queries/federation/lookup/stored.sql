-- stored: the status and the account of another server with a URI, or with a page of the form
-- ORIGIN/@USERNAME/NUMBER. Pages have no index: the URIs that Mastodon's servers give to such a
-- page are tried.
-- $1 url text
-- $2 origin text: null if the URL has another form, as the following
-- $3 username text
-- $4 number text: null for the page of an account
-- rows: one
-- plan: no sequential scan
with named as (
  select a.id, a.uri, a.url
  from accounts a
  where lower(a.username) = lower($3::text) and lower(coalesce(a.domain, '')) = lower(regexp_replace($2::text, '^https?://', ''))
    and a.domain is not null
), uris as (
  select $1::text as uri
  union all select $2 || '/users/' || $3 || '/statuses/' || $4::text
  union all select named.uri || '/statuses/' || $4 from named
)
select
  (
    select s.id
    from uris join statuses s on s.uri = uris.uri
    where s.deleted_at is null and not s.local and (s.uri = $1 or s.url = $1)
    limit 1
  ) as status,
  coalesce(
    (select a.id from accounts a where a.uri = $1 and a.uri <> '' and a.domain is not null),
    (select named.id from named where named.url = $1)
  ) as account

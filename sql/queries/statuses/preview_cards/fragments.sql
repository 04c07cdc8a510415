-- fragments: previews of pages with all data for their rendering. For the account that a page names
-- as its author: the domains that may name it, and whether it is visible.
-- $1 ids bigint[]
-- rows: one a card that exists
-- plan: no sequential scan
select
  p.id,
  p.url,
  coalesce(p.page_url, p.url) as page_url,
  p.type,
  p.title,
  p.description,
  p.language,
  p.author_name,
  p.author_url,
  p.creator_account_id,
  case
    when a.suspended_at is null and not a.pending and a.deletion_requested_at is null then a.attribution_domains
    else '{}'
  end as creator_domains,
  p.provider_name,
  p.provider_url,
  p.html,
  p.width,
  p.height,
  p.image_key,
  p.image_description,
  p.embed_url,
  p.blurhash,
  p.published_at
from preview_cards p
left join accounts a on a.id = p.creator_account_id
where p.id = any ((select $1::bigint[])::bigint[])

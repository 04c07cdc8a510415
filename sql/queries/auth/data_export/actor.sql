-- actor: a local account as its export describes it.
-- $1 account bigint
-- rows: one when the account exists
-- plan: no sequential scan
select
  a.id, a.username, a.display_name, a.note_html, a.fields, a.avatar, a.avatar_description, a.header, a.header_description, a.actor_type,
  a.locked, coalesce(a.discoverable, false) as discoverable, a.indexable, a.memorial, a.attribution_domains, a.created_at
from accounts a
where a.id = $1

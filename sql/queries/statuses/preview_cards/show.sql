-- show: sets or (null) removes the preview of a status. Has no effect when the status was edited
-- since it was read: another job handles the edit. A simultaneous edit is serialised with this
-- statement.
-- $1 status bigint
-- $2 source text
-- $3 card bigint
-- $4 url text
-- rows: one; events: none when nothing changed
-- plan: no sequential scan
with unchanged as materialized (
  select s.id from statuses s where s.id = $1 and case when s.local then s.text else s.content end = $2 and s.deleted_at is null for share
), removed as (
  delete from preview_cards_statuses p using unchanged where p.status_id = unchanged.id and $3::bigint is null
  returning p.status_id
), shown as (
  insert into preview_cards_statuses as p (status_id, preview_card_id, url)
  select unchanged.id, $3::bigint, $4::text from unchanged where $3::bigint is not null
  on conflict (status_id) do update set preview_card_id = excluded.preview_card_id, url = excluded.url
  where (p.preview_card_id, p.url) is distinct from (excluded.preview_card_id, excluded.url)
  returning p.status_id
), logged as (
  insert into events (kind, status_id, object_id)
  select 'preview_card.shown', changed.status_id, $3::bigint
  from (select removed.status_id from removed union all select shown.status_id from shown) changed
  returning event_json(events) as event
)
select jsonb_agg(logged.event) as events from logged

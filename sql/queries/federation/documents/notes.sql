-- notes: local statuses and boosts with everything that their documents contain, as far as the
-- viewer may see them. A blocked domain is that of the viewer's host or handle.
-- $1 viewer bigint
-- $2 domain text
-- $3 ids bigint[]
-- rows: one a status, newest first
-- plan: no sequential scan
select
  s.id, s.account_id, a.username, s.created_at, s.edited_at, s.content, s.spoiler_text, s.visibility,
  s.sensitive or a.sensitized_at is not null as sensitive, s.language, s.quote_approval_policy,
  federated_status(s.in_reply_to_id) as parent, federated_status(s.reblog_of_id) as boosted,
  (select coalesce(v.uri, format('%s:objectId=%s', v.created_at::date, v.id)) from conversations v where v.id = s.conversation_id)
    as conversation,
  (
    with recursive up as (
      select s.id, s.account_id, s.in_reply_to_id, s.local, 0 as depth
      union all
      select p.id, p.account_id, p.in_reply_to_id, p.local, up.depth + 1
      from up
      join statuses p on p.id = up.in_reply_to_id
      where up.depth < 500
    )
    select jsonb_build_object('account', up.account_id::text, 'status', up.id::text)
    from up
    where up.in_reply_to_id is null and up.local
  ) as root,
  (
    select jsonb_agg(
      jsonb_build_object(
        'id', m.account_id::text, 'username', o.username, 'domain', o.domain, 'uri', o.uri,
        'followers', case when o.actor_type = 'Group' then o.followers_url end,
        'addressed', a.silenced_at is null
          or exists (select from follows f where f.account_id = o.id and f.target_account_id = a.id)
          or exists (select from follow_requests r where r.account_id = o.id and r.target_account_id = a.id)
      )
      order by m.id
    )
    from mentions m
    join accounts o on o.id = m.account_id
    where m.status_id = s.id and not m.silent
  ) as mentions,
  array(select t.display_name from status_tags x join tags t on t.id = x.tag_id where x.status_id = s.id order by t.id) as tags,
  attachments_of(s.media_attachment_ids) as attachments,
  (
    select jsonb_agg(
      jsonb_build_object('id', k.id::text, 'account_id', k.account_id::text, 'name', k.name, 'uri', k.uri) order by k.id
    )
    from status_collections l
    join visible_collections(null) k on k.id = l.collection_id
    where l.status_id = s.id
  ) as collections,
  federated_emojis(concat_ws(' ', s.spoiler_text, s.content, array_to_string(p.options, ' '))) as emojis,
  case
    when p.id is not null then jsonb_build_object(
      'options', p.options, 'tallies', p.tallies, 'voters', p.voters_count, 'multiple', p.multiple,
      'hidden', p.hide_totals and p.ended_at is null and coalesce(p.expires_at > now(), true),
      'expires_at', p.expires_at, 'closed', case when p.ended_at is not null or p.expires_at < now() then coalesce(p.ended_at, p.expires_at) end
    )
  end as poll,
  case
    when q.state in ('pending', 'accepted') then jsonb_build_object(
      'id', q.id::text, 'state', q.state, 'author', q.quoted_account_id::text, 'local', o.domain is null,
      'approval_uri', q.approval_uri, 'status', federated_status(q.quoted_status_id)
    )
  end as quote,
  (select x.url from preview_cards_statuses x where x.status_id = s.id) as card_url,
  array(
    select r.id
    from statuses r
    where r.in_reply_to_id = s.id and r.account_id = s.account_id and r.deleted_at is null and r.visibility in ('public', 'unlisted')
    order by r.id
    limit 5
  ) as own_replies,
  coalesce(c.favourites_count, 0) as likes, coalesce(c.reblogs_count, 0) as shares
from visible_statuses($1) s
join accounts a on a.id = s.account_id
left join polls p on p.status_id = s.id
left join quotes q on q.status_id = s.id
left join accounts o on o.id = q.quoted_account_id
left join status_stats c on c.status_id = s.id
where s.id = any ((select $3::bigint[])::bigint[]) and a.domain is null
  and not exists (select from blocks b where b.account_id = s.account_id and b.target_account_id = $1)
  and not exists (
    select from account_domain_blocks d
    where d.account_id = s.account_id and d.domain in ($2::text, (select v.domain from accounts v where v.id = $1))
  )
order by s.id desc

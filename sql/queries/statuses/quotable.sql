-- quotable: a status to be quoted (the boosted one, for a boost), and whether the viewer may quote
-- it: an own status unless it is direct; another's public or unlisted status if its policy allows
-- it, maybe after asking, and neither blocks the other. Policies: src/statuses/quote_approval.ts.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none when it is not visible, else one
-- plan: no sequential scan
select
  q.id, q.account_id, a.username, a.domain, q.uri, q.url, q.reblog_of_id, q.visibility,
  case
    when q.account_id = $1 then q.visibility in ('public', 'unlisted', 'private')
    else q.visibility in ('public', 'unlisted')
      and not exists (select from blocks b where b.account_id = $1 and b.target_account_id = q.account_id)
      and (
        q.quote_approval_policy = 'public' or q.quote_approval_policy like any ('{%manual,%unsupported%}')
        or (
          q.quote_approval_policy like '%followers%'
          and exists (select from follows f where f.account_id = $1 and f.target_account_id = q.account_id)
        )
        or (
          q.quote_approval_policy like '%following%'
          and exists (select from follows f where f.account_id = q.account_id and f.target_account_id = $1)
        )
      )
  end as allowed
from visible_statuses($1) s
join visible_statuses($1) q on q.id = coalesce(s.reblog_of_id, s.id)
join accounts a on a.id = q.account_id
where s.id = $2

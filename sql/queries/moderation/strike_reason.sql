-- strike_reason: what the report was about that led to a strike.
-- $1 strike bigint
-- $2 language text
-- rows: none without a report, else one; rules: the broken ones, also deleted ones, in the language
--   where they are translated
-- plan: no sequential scan of account_warnings, reports
select
  r.category,
  array(
    select coalesce(o.translations -> $2::text ->> 'text', o.text)
    from rules o
    where o.id = any (r.rule_ids)
    order by o.position, o.id
  ) as rules
from account_warnings w
join reports r on r.id = w.report_id
where w.id = $1

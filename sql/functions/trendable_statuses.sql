-- Statuses that may trend and be shown to the viewer (null: anybody): by discoverable authors whose
-- media are not hidden, no replies, without a content warning, in a known language. A quoted status
-- must meet the same conditions.
create or replace function trendable_statuses(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.*
  from listed_statuses(viewer) s
  join accounts a on a.id = s.account_id
  where s.in_reply_to_id is null and s.in_reply_to_account_id is null and not s.parent_unknown
    and not s.sensitive and s.spoiler_text = ''
    and s.language is not null
    and a.discoverable and a.sensitized_at is null
$$;

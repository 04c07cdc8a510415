-- How the settings of an account apply to `owner`, who wants to put it into a collection:
-- automatic, manual (it is asked), denied, unknown (in a way that this server does not know),
-- missing (its server says nothing). src/accounts/feature_approval.ts decides the same for
-- entities.
create or replace function feature_approval(owner bigint, target accounts) returns text
language sql stable as $$
  select case
    when target.domain is null then case
      when not coalesce(target.discoverable, false) then 'denied'
      when not target.locked or target.id = owner or 'followers' = any (own.groups) then 'automatic'
      else 'denied'
    end
    when target.feature_automatic is null and target.feature_manual is null then 'missing'
    when target.feature_automatic && own.groups then 'automatic'
    when target.feature_manual && own.groups then 'manual'
    when 'unsupported_policy' = any (target.feature_automatic || target.feature_manual) then 'unknown'
    else 'denied'
  end
  from (
    select array['public']
      || case when exists (select from follows f where f.account_id = owner and f.target_account_id = target.id) then array['followers'] else '{}' end
      || case when exists (select from follows f where f.account_id = target.id and f.target_account_id = owner) then array['following'] else '{}' end
      as groups
  ) own
$$;

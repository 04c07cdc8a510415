-- Whether a subscription of the recipient wants a notification of this type by this originator, by
-- its alerts and its policy. Nobody follows themselves, so only `all` includes notifications caused
-- by oneself, such as those of polls.
create or replace function wants_push(subscription push_subscriptions, recipient bigint, originator bigint, type text) returns boolean
language sql stable as $$
  select subscription.alerts -> type is not distinct from 'true'::jsonb
    and case subscription.policy
      when 'all' then true
      when 'followed' then exists (
        select from follows f where f.account_id = recipient and f.target_account_id = originator
      )
      when 'follower' then exists (
        select from follows f where f.account_id = originator and f.target_account_id = recipient
      )
      else false
    end
$$;

-- The statement for a list of accounts in the staff's area. It contains only the conditions of the
-- filters in use, with their values, so that the planner chooses the index of the most selective
-- one. A text or network that few accounts have is evaluated first, without regard to the order;
-- for one that many have, and for the others, accounts are read in the order of the list.
-- filter: origin (local, remote), status (active, pending, disabled, silenced, suspended,
-- sensitized), username, display_name, email (beginnings), domain, ip (an address or network),
-- role_ids (-99: the base role alone), staff, invited_by (an account).
create or replace function staff_accounts_query(
  filter jsonb, max_id bigint, since_id bigint, min_id bigint, max_rows integer
) returns text
language plpgsql stable as $$
declare
  conditions text[] := array['true'];
  page text[] := array['true'];
  is_narrow boolean := filter ?| array['invited_by', 'staff'];
  sought text[] := array['true'];
  many constant integer := 1000;
  matches integer;
  has_user boolean := filter ?| array['email', 'ip', 'role_ids', 'staff', 'invited_by'];
  role_ids bigint[];
begin
  if filter ->> 'origin' = 'local' then
    conditions := conditions || 'a.domain is null'::text;
  elsif filter ->> 'origin' = 'remote' then
    conditions := conditions || 'a.domain is not null'::text;
  end if;
  if filter ? 'domain' then
    conditions := conditions || format('a.domain = %L', filter ->> 'domain');
  end if;
  conditions := conditions || case filter ->> 'status'
    when 'active' then 'a.suspended_at is null and a.deletion_requested_at is null'
    when 'pending' then 'not u.approved'
    when 'disabled' then 'u.disabled and a.suspended_at is null'
    when 'silenced' then 'a.silenced_at is not null'
    when 'suspended' then 'a.suspended_at is not null'
    when 'sensitized' then 'a.sensitized_at is not null'
    else 'true'
  end;
  has_user := has_user or coalesce(filter ->> 'status' in ('pending', 'disabled'), false);
  if filter ? 'username' then
    sought := sought || format('lower(a.username) like %L', like_prefix(filter ->> 'username'));
  end if;
  if filter ? 'display_name' then
    sought := sought || format('lower(a.display_name) like %L', like_prefix(filter ->> 'display_name'));
  end if;
  if filter ? 'email' then
    sought := sought || format('lower(u.email) like %L', like_prefix(filter ->> 'email'));
  end if;
  if filter ? 'ip' then
    execute format(
      'select count(*) from (
        select from users u where u.sign_up_ip <<= %1$L::inet
        union all select from sessions s where s.ip <<= %1$L
        union all select from login_activities l where l.success and l.ip <<= %1$L
        union all select from oauth_tokens t where t.last_used_ip <<= %1$L
        limit %2$s
      ) known', filter ->> 'ip', many
    ) into matches;
    is_narrow := is_narrow or matches < many;
    conditions := conditions || format(
      case
        when matches < many then 'u.id in (select known.user_id from user_ips() known where known.ip <<= %L::inet)'
        else '(select true from user_ips() known where known.user_id = u.id and known.ip <<= %L::inet limit 1)'
      end,
      filter ->> 'ip'
    );
  end if;
  if filter ? 'invited_by' then
    conditions := conditions || format(
      'u.invite_id in (select i.id from invites i join users inviter on inviter.id = i.user_id where inviter.account_id = %L::bigint)',
      filter ->> 'invited_by'
    );
  end if;
  if filter ? 'staff' then
    role_ids := array(select r.id from roles r where has_permission(r.permissions, 'manage_reports'));
    conditions := conditions || format('u.role_id = any (%L::bigint[])', role_ids);
  end if;
  if filter ? 'role_ids' then
    role_ids := array(select jsonb_array_elements_text(filter -> 'role_ids')::bigint);
    is_narrow := is_narrow or not role_ids @> array[-99::bigint];
    conditions := conditions || case
      when role_ids @> array[-99::bigint] then format('(u.role_id = any (%L::bigint[]) or u.role_id is null)', role_ids)
      else format('u.role_id = any (%L::bigint[])', role_ids)
    end;
  end if;
  if array_length(sought, 1) > 1 then
    execute format(
      'select count(*) from (select from accounts a%s where %s limit %s) found',
      case when filter ? 'email' then ' join users u on u.account_id = a.id' end, array_to_string(sought, ' and '), many
    ) into matches;
    is_narrow := is_narrow or matches < many;
    conditions := conditions || sought;
  end if;
  if max_id is not null then
    page := page || format('a.id < %L::bigint', max_id);
  end if;
  if coalesce(min_id, since_id) is not null then
    page := page || format('a.id > %L::bigint', greatest(min_id, since_id));
  end if;
  if has_user then
    -- The same bounds for the planner, which may walk users instead.
    conditions := conditions || replace(array_to_string(page, ' and '), 'a.id', 'u.account_id');
  end if;
  return format(
    case
      when is_narrow then 'with found as materialized (select a.id from accounts a%s where %s) select a.id from found a where %s order by a.id %s limit %s'
      else 'select a.id from accounts a%s where %s and %s order by a.id %s limit %s'
    end,
    case when has_user then ' join users u on u.account_id = a.id' end,
    array_to_string(conditions, ' and '),
    array_to_string(page, ' and '),
    case when min_id is null then 'desc' else 'asc' end,
    max_rows
  );
end
$$;

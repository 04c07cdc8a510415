-- The statement for a list of accounts in the staff's area. It contains only the conditions of the
-- filters in use, with their values, so that the planner chooses the index of the most selective
-- one. Conditions that few accounts fulfil are evaluated first, without regard to the order; the
-- others belong to indexes in the order of the list.
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
  is_narrow boolean := filter ?| array['username', 'display_name', 'email', 'ip', 'invited_by', 'staff'];
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
    conditions := conditions || format('lower(a.username) like %L', like_prefix(filter ->> 'username'));
  end if;
  if filter ? 'display_name' then
    conditions := conditions || format('lower(a.display_name) like %L', like_prefix(filter ->> 'display_name'));
  end if;
  if filter ? 'email' then
    conditions := conditions || format('lower(u.email) like %L', like_prefix(filter ->> 'email'));
  end if;
  if filter ? 'ip' then
    conditions := conditions || format('u.id in (select known.user_id from user_ips() known where known.ip <<= %L::inet)', filter ->> 'ip');
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
  if max_id is not null then
    page := page || format('a.id < %L::bigint', max_id);
  end if;
  if coalesce(min_id, since_id) is not null then
    page := page || format('a.id > %L::bigint', greatest(min_id, since_id));
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

-- A trigger of status_tags: counts the uses of hashtags by day. Each row says what it was counted
-- by, so what is removed or changed is subtracted as it was added.
create or replace function count_status_tags() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.recounting', true) = 'on' then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    perform count_tags(
      array(
        select row(r.tag_id, r.status_id, r.account_id, r.language, r.counted, r.listed)::status_tags
        from removed r order by r.account_id, r.tag_id
      ),
      -1
    );
  end if;
  if tg_op <> 'DELETE' then
    perform count_tags(
      array(
        select row(a.tag_id, a.status_id, a.account_id, a.language, a.counted, a.listed)::status_tags
        from added a order by a.account_id, a.tag_id
      ),
      1
    );
  end if;
  return null;
end
$$;

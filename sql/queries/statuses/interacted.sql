-- interacted: the newest statuses that the viewer favourited, boosted, bookmarked, pinned or voted
-- in. `offset 0` keeps the planner from reading all polls by their statuses.
-- $1 viewer bigint
-- $2 limit integer
-- rows: one; ids: at most $2, the newest; mutes: whether the viewer has muted any conversation
-- plan: no sequential scan
select
  array(
    select touched.id
    from (
      (
        select f.status_id as id
        from favourites f
        where f.account_id = $1
        order by f.status_id desc
        limit $2::integer
      )
      union
      (
        select b.reblog_of_id
        from statuses b
        where b.account_id = $1 and b.deleted_at is null and b.reblog_of_id is not null
        order by b.reblog_of_id desc
        limit $2
      )
      union
      (
        select k.status_id
        from bookmarks k
        where k.account_id = $1
        order by k.status_id desc
        limit $2
      )
      union
      (
        select p.status_id
        from status_pins p
        where p.account_id = $1
        order by p.status_id desc
        limit $2
      )
      union
      (
        select distinct p.status_id
        from poll_votes v
        cross join lateral (select p.status_id from polls p where p.id = v.poll_id offset 0) p
        where v.account_id = $1 and p.status_id is not null
        order by p.status_id desc
        limit $2
      )
    ) touched
    order by touched.id desc
    limit $2
  ) as ids,
  exists (select from conversation_mutes m where m.account_id = $1) as mutes

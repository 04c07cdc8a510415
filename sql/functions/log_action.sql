-- Records an action of a moderator (null: the operator) in the log of actions, and logs its event.
create or replace function log_action(moderator bigint, action text, target_type text, target bigint, target_name text) returns bigint
language sql volatile as $$
  insert into events (kind, actor_id, object_id, data)
  values ('action.logged', moderator, target, jsonb_build_object('action', action, 'target_type', target_type));
  insert into admin_action_logs (account_id, action, target_type, target_id, target_name)
  values (moderator, action, target_type, target, target_name)
  returning admin_action_logs.id
$$;

-- The bit of a permission, by its name. A test compares it with src/core/permissions.ts.
create or replace function permission(name text) returns bigint
language sql immutable strict parallel safe
return case name
  when 'administrator' then 1
  when 'view_devops' then 2
  when 'view_audit_log' then 4
  when 'view_dashboard' then 8
  when 'manage_reports' then 16
  when 'manage_federation' then 32
  when 'manage_settings' then 64
  when 'manage_blocks' then 128
  when 'manage_taxonomies' then 256
  when 'manage_appeals' then 512
  when 'manage_users' then 1024
  when 'manage_invites' then 2048
  when 'manage_rules' then 4096
  when 'manage_announcements' then 8192
  when 'manage_custom_emojis' then 16384
  when 'manage_webhooks' then 32768
  when 'invite_users' then 65536
  when 'manage_roles' then 131072
  when 'manage_user_access' then 262144
  when 'delete_user_data' then 524288
  when 'view_feeds' then 1048576
  when 'invite_bypass_approval' then 2097152
  when 'manage_email_subscriptions' then 4194304
end;

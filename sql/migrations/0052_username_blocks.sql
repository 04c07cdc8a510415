-- Names that nobody may sign up with, or only with approval, as operators change them.
-- Locks: nothing that is there already.

-- A name as it is compared: in any case, and with digits read as the letters that they look like.
create function username_skeleton(username text) returns text
language sql immutable strict parallel safe
return translate(lower(username), '012345789', 'oizeastbg');

create table username_blocks (
  id bigint primary key generated always as identity,
  username text not null,                        -- as written
  skeleton text not null generated always as (username_skeleton(username)) stored unique,
  exact boolean not null,                        -- false: names that contain it
  allow_with_approval boolean not null default false,
  created_at timestamptz not null default now()
);

-- The names that are kept on every server at first (api/settings.md, section 2).
insert into username_blocks (username, exact)
select name, true
from unnest(array[
  'abuse', 'account', 'accounts', 'admin', 'administration', 'administrator', 'admins', 'help', 'helpdesk', 'instance', 'mod', 'moderator',
  'moderators', 'mods', 'owner', 'root', 'security', 'server', 'staff', 'support', 'webmaster'
]) name
union all
select name, false from unnest(array['mastodon', 'mastadon']) name;

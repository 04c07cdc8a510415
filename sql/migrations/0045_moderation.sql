-- Reports, strikes and the log of what moderators did (api/moderation.md).
-- Locks: tables and functions are added; a function that reads use is replaced. Nobody waits.

-- Statuses that the viewer (null: anybody) may see, or might before they were deleted: deleted ones can still be reported.
-- Hidden: authors who are suspended, unconfirmed, unapproved or going; authors who block the viewer; private ones from those who neither
-- follow nor are mentioned; direct ones from those who are not mentioned.
create function visible_statuses_ever(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.*
  from statuses s
  join accounts a on a.id = s.account_id
  where a.suspended_at is null
    and not a.pending
    and a.deletion_requested_at is null
    and (
      s.account_id = viewer
      or not exists (select from blocks b where b.account_id = s.account_id and b.target_account_id = viewer)
    )
    and (
      s.visibility in ('public', 'unlisted')
      or s.account_id = viewer
      or exists (select from mentions m where m.status_id = s.id and m.account_id = viewer)
      or (
        s.visibility = 'private'
        and exists (select from follows f where f.account_id = viewer and f.target_account_id = s.account_id)
      )
    )
$$;

-- As before. Both are inlined, so that plans are what they were.
create or replace function visible_statuses(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.* from visible_statuses_ever(viewer) s where s.deleted_at is null
$$;

create table reports (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,         -- who reported
  target_account_id bigint not null references accounts (id) on delete cascade,
  application_id bigint references applications (id) on delete set null,
  category text not null default 'other',        -- spam, legal, violation, other
  comment text not null default '',
  status_ids bigint[] not null default '{}',     -- of the target; deleted ones stay named
  collection_ids bigint[] not null default '{}',
  rule_ids bigint[],                             -- null: no rule was cited
  forwarded boolean,                             -- whether the target's own server got a copy; null: nobody said
  forwarded_to text[] not null default '{}',     -- domains that are to get a copy
  uri text,
  assigned_account_id bigint references accounts (id) on delete set null,
  action_taken_at timestamptz,                   -- null: open
  action_taken_by_account_id bigint references accounts (id) on delete set null, -- null: the operator, when it is not open
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index reports_by_account on reports (account_id, id desc);
create index reports_by_target on reports (target_account_id, id desc);
create index reports_open on reports (id desc) where action_taken_at is null;
create index reports_assigned on reports (assigned_account_id) where assigned_account_id is not null;
create index reports_resolved_by on reports (action_taken_by_account_id) where action_taken_by_account_id is not null;
create index reports_application on reports (application_id) where application_id is not null;

-- Strikes (entity AccountWarning).
create table account_warnings (
  id bigint primary key generated always as identity,
  account_id bigint references accounts (id) on delete set null,                 -- the moderator; null: the operator
  target_account_id bigint not null references accounts (id) on delete cascade,
  action text not null,
  text text not null default '',
  report_id bigint references reports (id) on delete set null,
  status_ids bigint[],                           -- null: it is about none
  overruled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index account_warnings_by_account on account_warnings (account_id) where account_id is not null;
create index account_warnings_by_target on account_warnings (target_account_id, id desc);
create index account_warnings_by_report on account_warnings (report_id) where report_id is not null;

create table appeals (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  account_warning_id bigint not null unique references account_warnings (id) on delete cascade,
  text text not null,
  approved_at timestamptz,
  approved_by_account_id bigint references accounts (id) on delete set null,
  rejected_at timestamptz,
  rejected_by_account_id bigint references accounts (id) on delete set null,
  created_at timestamptz not null default now()
);

create index appeals_by_account on appeals (account_id);
create index appeals_approved_by on appeals (approved_by_account_id) where approved_by_account_id is not null;
create index appeals_rejected_by on appeals (rejected_by_account_id) where rejected_by_account_id is not null;

-- Who did what to whom. Entries outlive what they are about.
create table admin_action_logs (
  id bigint primary key generated always as identity,
  account_id bigint references accounts (id) on delete set null,                 -- null: the operator, on the command line
  action text not null,
  target_type text not null,
  target_id bigint,
  target_name text not null,                     -- a handle, a domain …, as it was then
  created_at timestamptz not null default now()
);

create index admin_action_logs_by_account on admin_action_logs (account_id, id desc) where account_id is not null;
create index admin_action_logs_by_target on admin_action_logs (target_type, target_id, id desc);

-- Notes an action. moderator null: the operator.
create function log_action(moderator bigint, action text, target_type text, target bigint, target_name text) returns bigint
language sql volatile as $$
  insert into admin_action_logs (account_id, action, target_type, target_id, target_name)
  values (moderator, action, target_type, target, target_name)
  returning admin_action_logs.id
$$;

-- `user` or `user@domain`.
create function handle_of(account accounts) returns text
language sql stable as $$
  select account.username || coalesce('@' || account.domain, '')
$$;

-- Whether a deleted status is still evidence: of a report that is open, or of a strike that can be appealed (30 days).
create function is_evidence(status statuses) returns boolean
language sql stable as $$
  select exists (
    select from reports r
    where r.target_account_id = status.account_id and r.action_taken_at is null and r.status_ids @> array[status.id]
  ) or exists (
    select from account_warnings w
    where w.target_account_id = status.account_id and w.action = 'delete_statuses' and w.status_ids @> array[status.id]
      and w.created_at > now() - interval '30 days'
  )
$$;

-- What the history of a status keeps of a version beside its texts (status_edits.details).
create function version_details(status statuses) returns jsonb
language sql stable as $$
  select jsonb_build_object('media', array(
    select jsonb_build_object('id', m.id::text, 'description', m.description)
    from unnest(status.media_attachment_ids) with ordinality i (id, place)
    join media_attachments m on m.id = i.id
    order by i.place
  )) || coalesce((select jsonb_build_object('poll', p.options) from polls p where p.status_id = status.id), '{}')
$$;

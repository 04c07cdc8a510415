-- What other servers deliver waits here, so that one job processes many activities. The table is
-- new; nothing that exists is locked.
create table received_activities (
  id bigint generated always as identity primary key,
  -- Those of one lane are processed one after the other; those of one actor are in one lane.
  lane smallint not null,
  -- Of the server that delivered it.
  host text not null,
  -- The actor that signed.
  actor text not null,
  body text not null,
  -- The owner of the personal inbox; null: the shared one.
  recipient_id bigint,
  received_at timestamptz not null default now()
);
create index received_activities_lane on received_activities (lane, id);

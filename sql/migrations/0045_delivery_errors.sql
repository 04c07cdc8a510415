-- What went wrong at servers to which deliveries fail, for the staff. The table is locked for a
-- moment.
alter table delivery_hosts
  add column last_failed_at timestamptz,
  -- The status of the answer, or why there was none.
  add column last_error text;

-- When other servers were told that an account is deleted because its server ends for good
-- (SELF_DESTRUCT). The column is null, so that the table is locked for a moment only.
alter table signing_keys add column deletion_sent_at timestamptz;

-- A quote policy elsewhere may name groups that this server knows beside others: any words of the
-- policies are accepted, in place of a list of some combinations. The table is locked for a moment;
-- rows that are there fit the new check, so it is not made for them.
alter table statuses drop constraint statuses_quote_approval_policy_check;
alter table statuses add constraint statuses_quote_approval_policy_check check (
  quote_approval_policy ~ '^(public|nobody|(unsupported|followers|following|manual)(_(unsupported|followers|following|manual))*)$'
) not valid;

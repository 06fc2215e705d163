-- Queues in which something has waited for too long, by account; the account 0 stands for the installation. A row is deleted
-- once nothing waits that long.
create table queue_alarms (
  account_id uuid not null,
  queue text not null,
  -- What in the queue waits: the name of a destination, the URL of a webhook, the type of a job; '' if the queue has no parts.
  subject text not null,
  -- When the oldest was due.
  since timestamptz(3) not null,
  raised_at timestamptz(3) not null,
  primary key (account_id, queue, subject)
);

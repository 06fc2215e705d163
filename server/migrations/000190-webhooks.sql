alter table webhook_endpoints
  -- `whpk_…`; null: messages are signed with the secret alone. The private key is stored with the secret.
  add column public_key text,
  -- `thin`: messages contain only what identifies the resource.
  add column payload text not null default 'full' check (payload in ('full', 'thin')),
  -- Members of `data` to send; null: all.
  add column fields text[],
  -- Conditions on `data`, all of which a message must meet; null: none.
  add column filters jsonb;

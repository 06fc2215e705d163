-- Where the service that last started is reached: commands print links to it.
create table service_url (
  is_only boolean primary key default true check (is_only),
  url text not null,
  updated_at timestamptz(3) not null
);

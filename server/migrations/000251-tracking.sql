-- Whether pages of the service's own site also keep the visitor's ID in a first-party cookie.
alter table tracking_settings add column first_party_id boolean not null default false;

-- The language of the dashboard and of mails: what the person chose, else the browser's when they last signed in.
alter table users
  add column language text check (length(language) <= 20),
  add column browser_language text check (length(browser_language) <= 20);

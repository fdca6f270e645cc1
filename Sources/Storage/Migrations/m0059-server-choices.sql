-- What holds for the whole server and was chosen on a page: region, the country whose emergency number is shown.
CREATE TABLE server_choices (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
);

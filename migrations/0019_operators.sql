-- Who runs a program, and how to reach them. Null: whoever runs the deployment.
alter table program add column operator_name text;
alter table program add column operator_contact text;

# For projects that take this folder by path; the project is the checkout's.
Code.compile_file("../mix.exs", __DIR__)

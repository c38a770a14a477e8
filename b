ls: cannot access 's/.heads*.lock': No such file or directory
